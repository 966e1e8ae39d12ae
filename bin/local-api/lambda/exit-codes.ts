/** The exit code of Node for a top-level `await` that nothing settles: https://nodejs.org/api/process.html#exit-codes */
export const unsettledAwait = 13;
