throw new ReferenceError('It failed at import.');
