import type { LiveProject } from '../../infra/local/reload/live-project.ts';
import { bundledFiles, bundleOptions } from '../../infra/service/bundle-options.ts';
import { project } from './project.ts';

/** The sources of this project. */
export const liveProject: LiveProject = {
  ...project,
  folders: ['bin', 'functions', 'infra', 'shared'],
  app: 'bin/pet-store.ts',
  appPackages: ['aws-cdk-lib', 'constructs', 'esbuild'],
  contextOf: (stage) => ({ 'pet-store:local': stage }),
  bundledFiles,
  bundleOptions,
  ofServer: /^(bin\/(cli|keys|local)[./]|infra\/local\/|infra\/service\/bundle-options\.ts$)/,
  readOnDemand: /^infra\/reference\//,
};
