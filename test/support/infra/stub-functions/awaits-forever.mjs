setInterval(() => undefined, 60_000);
export const handler = () => undefined;
await new Promise(() => undefined);
