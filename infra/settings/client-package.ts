/** The npm package of the TypeScript client. Some registries want a scope, as in `@acme/pet-store-client`. */
export const clientPackage = 'pet-store-client';
