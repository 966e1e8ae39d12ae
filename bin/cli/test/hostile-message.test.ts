import { it } from 'vitest';
import { expectLittleTime } from '../../../test/support/fuzz/hostile-text.ts';
import { messageText } from '../create-command.ts';
import { hideApiKeys } from '../hide-api-keys.ts';

it('prints a message in little time, however hostile it is', () => {
  expectLittleTime(messageText, 2 * 1024 * 1024, ['|http://', '|http://a@', '|petstore_', '|%25']);
});

it('hides keys in little time, however hostile a text is', () => {
  expectLittleTime(hideApiKeys, 64 * 1024, ['|petstore_', '|%25', '|p%2565', '|petstore_staging_']);
});
