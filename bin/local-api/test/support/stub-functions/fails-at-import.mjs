throw new ReferenceError('It failed\nat import.', { cause: new TypeError('This was why.') });
