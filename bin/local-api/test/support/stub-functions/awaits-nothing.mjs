/** Can't be settled: nothing keeps its resolver. */
const wait = async () => {
  await new Promise(() => undefined);
};

export const name = await Promise.resolve('handler');
await wait();
export const handler = () => undefined;
