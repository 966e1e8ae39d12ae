import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet } from '../../shared/contract/operations.ts';

/** Returns the message to print once the local API is ready; `petId` is an existing pet. */
export function greeting(baseUrl: string, apiKey: string, docsUrl: string, petId = '1'): string {
  const authorization = '-H "Authorization: Bearer $API_KEY"';
  const newPet = stringifyJson(exampleNewPet);
  return `Pet Store is ready. To call it, in another terminal:

  export BASE_URL=${baseUrl}
  export API_KEY=${apiKey}

or, in this directory: set -a; . ./.env.local; set +a

List, create, get:

  curl -i "$BASE_URL/pets?limit=5&status=available" ${authorization}
  curl -i "$BASE_URL/pets" ${authorization} -H 'Content-Type: application/json' -d '${newPet}'
  curl -i "$BASE_URL/pets/${petId}" ${authorization}

Reference: ${docsUrl}
`;
}
