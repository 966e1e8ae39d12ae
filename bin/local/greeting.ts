/** Where the local API is, and the key to try it with. */
export interface Address {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly docsUrl: string;
}

/** What the local API says to a person when it is ready, `petId` being a pet that it has. */
export function greeting({ baseUrl, apiKey, docsUrl }: Address, petId: string): string {
  const authorization = '-H "Authorization: Bearer $API_KEY"';
  const newPet = JSON.stringify({ name: 'Bella', categoryId: 1 });
  return `Pet Store is ready. To call it, in another terminal:

  export BASE_URL=${baseUrl}
  export API_KEY=${apiKey}

List, create, get:

  curl -i "$BASE_URL/pets?limit=5&status=available" ${authorization}
  curl -i "$BASE_URL/pets" ${authorization} -H 'Content-Type: application/json' -d '${newPet}'
  curl -i "$BASE_URL/pets/${petId}" ${authorization}

Reference: ${docsUrl}
`;
}
