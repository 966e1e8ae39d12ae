import '../all/resets.ts';
import { name } from '../shared/names.ts';
import { word } from '../shared/words.ts';

export const handler = async () => ({
  statusCode: 200,
  body: `${word} ${name} of ${process.env['NAME']}`,
});
