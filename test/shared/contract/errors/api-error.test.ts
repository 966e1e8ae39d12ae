import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../shared/contract/errors/api-error.ts';

describe('ApiError', () => {
  it('has the message of the error table by default', () => {
    const error = new ApiError('not_found');

    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'ApiError',
      code: 'not_found',
      message: 'The requested resource could not be found.',
    });
    expect(error).not.toHaveProperty('cause');
  });

  it('takes a message of its own and a cause', () => {
    const cause = new Error('socket hang up');

    const error = new ApiError('service_unavailable', 'Wait.', { cause });

    expect(error).toMatchObject({ code: 'service_unavailable', message: 'Wait.', cause });
  });
});
