import { petStoreApp } from '../infra/pet-store-app.ts';

petStoreApp(['staging', 'production']);
