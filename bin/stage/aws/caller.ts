import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import type { Clients } from './clients.ts';

/** Who calls, where. AWS answers everybody who is signed in. */
export interface Caller {
  readonly account: string;
  readonly arn: string;
  readonly region: string;
}

export async function readCaller({ sts }: Clients): Promise<Caller> {
  const { Account, Arn } = await sts.send(new GetCallerIdentityCommand());
  return { account: `${Account}`, arn: `${Arn}`, region: await sts.config.region() };
}
