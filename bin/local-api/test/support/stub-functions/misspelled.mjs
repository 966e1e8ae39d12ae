export const handle = () => ({ statusCode: 200 });
