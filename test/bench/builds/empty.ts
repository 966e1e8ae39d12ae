/** What no handler can be faster than. */
export async function handler(): Promise<{ statusCode: number }> {
  return { statusCode: 200 };
}
