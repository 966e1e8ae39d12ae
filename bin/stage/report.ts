import type { PersonRole } from '../../infra/access/names.ts';
import { printableLine } from '../../infra/local/text/printable.ts';

export type Role = PersonRole | 'administrator';

/** What was found, under a short title. */
export type Finding = readonly [title: string, text: string];

/** Something to do: with commands that can be pasted, or for somebody to decide. */
export interface Step {
  readonly text: string;
  /** Who runs the commands; without it, anybody with a clone. */
  readonly role?: Role;
  readonly commands?: readonly string[];
}

/** What follows from the facts. The first step is next; the others come after it. */
export interface Conclusion {
  readonly findings: readonly Finding[];
  readonly conclusion: string;
  readonly steps: readonly Step[];
}

/** A conclusion without its findings. */
export type Answer = Omit<Conclusion, 'findings'>;

export const answer = (conclusion: string, ...steps: Step[]): Answer => ({ conclusion, steps });

export const step = (role: Role, text: string, ...commands: string[]): Step => ({ text, role, commands });

export interface Report extends Conclusion {
  readonly stage: string;
  readonly at: string;
  /** Who may read all of this. */
  readonly role: Role;
  /** Calls that failed, with their errors. */
  readonly unread: readonly string[];
}

/** Returns the profile that takes a role, as docs/deploying.md names it. */
export const profileOf = (stage: string, role: Role) =>
  `${stage}-${role === 'administrator' ? 'admin' : role}`;

const callsAws = /^(aws|npx cdk|npm run) /;

/** Returns a report as text for a terminal. */
export function reportText({ findings, unread, conclusion, steps, ...of }: Report): string {
  const rows = [...findings, ...unread.map((text): Finding => ['NOT READ', text])];
  const width = Math.max(...rows.map(([title]) => title.length));
  const found = rows.map(([title, text]) => `${title.padEnd(width)}  ${printableLine(text)}`);
  const instructions = steps.map(({ text, role, commands = [] }, index) => {
    const who = role ? ` (role ${role})` : '';
    const profile = role ? `AWS_PROFILE=${profileOf(of.stage, role)} ` : '';
    const lines = commands.map((command) => `  ${callsAws.test(command) ? profile : ''}${command}`);
    return [`${index === 0 ? 'Next' : 'Then'}${who}: ${text}`, ...lines].join('\n');
  });
  const head = `${of.stage} at ${of.at}, read with the role ${of.role}`;
  return [head, `Conclusion: ${conclusion}`, ...instructions, found.join('\n')].join('\n\n');
}

/** Formats an instant in UTC, to the minute. */
export const formatTime = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const count = (total: number) => total.toLocaleString('en');

export const percent = (share: number) => `${(share * 100).toFixed(1)}%`;

/** Quotes an argument for bash and zsh. */
export const quoted = (argument: string) => `'${argument.replaceAll("'", `'\\''`)}'`;
