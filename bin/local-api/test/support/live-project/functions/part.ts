import '../all/resets.ts';
import { word } from '../shared/words.ts';

const start = Date.now();

export const handler = async () => ({ statusCode: 200, body: `${word} since ${start}` });
