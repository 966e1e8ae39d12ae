import { describe, expect, it } from 'vitest';
import { messageText } from '../../../bin/cli/message-text.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';

describe('messageText', () => {
  it('hides keys', () => {
    expect(messageText(`There is no ${generateApiKey('staging')}.`)).toBe('There is no petstore_staging_….');
  });

  it('makes one line, without control characters', () => {
    expect(messageText('There is no\r\n\u001b[2Jfile.')).toBe('There is no\\u000d\\u000a\\u001b[2Jfile.');
  });

  it('keeps at most 4,000 characters', () => {
    expect(messageText('a'.repeat(4001))).toBe(`${'a'.repeat(4000)}…`);
  });
});
