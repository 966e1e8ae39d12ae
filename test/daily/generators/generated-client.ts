/** A response, independent of the generator. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface GeneratedClient {
  listPets(query: { limit: number; cursor?: string }): Promise<Answer>;
  createPet(newPet: { name: string; categoryId: number }, idempotencyKey: string): Promise<Answer>;
  getPet(petId: number): Promise<Answer>;
  /** Whether the generated validator accepts a pet, if there is one. */
  accepts?(pet: unknown): boolean;
}

export type Connect = (baseUrl: string, apiKey: string) => GeneratedClient;

/** Converts the result of a call by a client that keeps errors apart from data. */
export const answerOf = (result: { data?: unknown; error?: unknown; response: Response }): Answer => ({
  status: result.response.status,
  headers: result.response.headers,
  body: result.data ?? result.error,
});
