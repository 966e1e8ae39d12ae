/** The floor: no handler can be faster. */
export async function handler(): Promise<{ statusCode: number }> {
  return { statusCode: 200 };
}
