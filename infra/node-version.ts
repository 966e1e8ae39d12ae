/** The major version of Node that functions run on, and the oldest that the sandbox runs on. */
export const nodeMajor = 24;

/** The runtime of Lambda that functions are declared for. */
export const functionRuntime = `nodejs${nodeMajor}.x`;
