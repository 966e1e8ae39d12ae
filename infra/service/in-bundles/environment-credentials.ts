// In a bundle, every client of the SDK takes its credentials from here by default: Lambda sets them in the environment.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
