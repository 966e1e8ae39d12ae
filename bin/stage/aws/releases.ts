import { paginateGetParameterHistory } from '@aws-sdk/client-ssm';
import { commitParameter } from '../../../infra/stack-names.ts';
import { all, type Clients } from './clients.ts';

export type Release = Awaited<ReturnType<typeof readReleases>>[number];

/** Reads the releases of a stage, newest first. Those of older versions have no digests. */
export async function readReleases({ ssm: client }: Clients, stage: string) {
  const history = paginateGetParameterHistory({ client }, { Name: commitParameter(stage) });
  return (await all(history, ({ Parameters }) => Parameters))
    .flatMap(({ Value = '', LastModifiedDate: at }) => {
      const [commit = '', template, tables] = Value.split(' ');
      return at ? [{ commit, template, tables, at }] : [];
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
}
