/**
 * Returns the response of a handler as what its JSON means.
 *
 * @throws {TypeError} naming the part of it that JSON can't represent
 */
export function responseJson(response: unknown): unknown {
  const places = new Map<unknown, string>();
  const text = JSON.stringify(response, function (this: unknown, name: string, value: unknown) {
    const place = [places.get(this), name].filter(Boolean).join('.');
    if (typeof value === 'bigint') {
      throw new TypeError(`The response has a BigInt, which JSON can't represent: ${place || 'the whole'}.`);
    }
    places.set(value, place);
    return value;
  });
  return JSON.parse(text ?? 'null');
}
