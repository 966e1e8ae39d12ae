import type { PersonRole } from '../../infra/access/names.ts';
import { printableLine } from '../cli/printable.ts';
import type { TableState } from './aws/tables.ts';
import type { Command } from './command.ts';
import type { Fact, Missing } from './fact.ts';

export type Role = PersonRole | 'administrator';

/** Something to do: with commands that can be pasted, or for somebody to decide. */
export interface Step {
  readonly text: string;
  /** Who runs the commands; without it, anybody with a clone. */
  readonly role?: Role;
  readonly commands?: readonly Command[];
}

/** What was found, and what to do about it: the first step is next. */
export interface Finding {
  readonly says: string;
  readonly next: readonly Step[];
}

/** Texts of what was read, by short titles. What was not read, or is not there, has none. */
export type Figures = Readonly<Record<string, readonly string[] | undefined>>;

/** A fact in words, with the commands that it alone decides, each with who may run it. */
export interface Row {
  readonly title: string;
  readonly text: string;
  readonly steps?: readonly Step[];
}

/** Facts in the order in which they are read. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Returns facts of one kind, but not more than some: the last row says how many are left out. */
export function listed(title: string, facts: Fact<readonly Line[]>, most: number): readonly Row[] {
  if (!facts.isRead) return [{ title, text: unreadText(facts.missing) }];
  const lines = facts.value.map((line) => (typeof line === 'string' ? { text: line } : line));
  const shown = lines.length > most ? lines.slice(0, most - 1) : lines;
  const rows = shown.map((line) => ({ title, ...line }));
  const left = lines.length - shown.length;
  return left > 0 ? [...rows, { title, text: `and ${count(left)} more` }] : rows;
}
type Line = string | Omit<Row, 'title'>;

/** Says what was not read, once for each reason. Why the stack was not, is said only where the stack is. */
export const unreadText = (missing: readonly Missing[]) =>
  [
    ...Map.groupBy(missing, ({ what, error }) =>
      what === 'stack' ? 'NOT READ without the stack' : `${error}`,
    ),
  ]
    .map(([reason, own]) => {
      const names = new Set(own.map(({ what }) => what));
      return names.has('stack') ? reason : `NOT READ: ${[...names].join(', ')}: ${reason}`;
    })
    .join('; ');

/** Returns what of several facts of one kind was not read. */
export const unreadRows = (title: string, missing: readonly Missing[]): readonly Row[] =>
  missing.length > 0 ? [{ title, text: unreadText(missing) }] : [];

/** Findings, the most important one first, and the figures that they follow from. */
export interface Conclusion {
  readonly findings: readonly Finding[];
  readonly because: Figures;
  /** Facts, if that is all that was asked for. */
  readonly sections?: readonly Section[];
}

export interface Report extends Pick<Conclusion, 'findings' | 'sections'> {
  readonly because: readonly (readonly [title: string, text: string])[];
  readonly stage: string;
  readonly at: string;
  /** Who may read all of this. */
  readonly role: Role;
  /** Calls that failed, with their errors. */
  readonly unread: readonly string[];
}

export const finding = (says: string, ...next: Step[]): Finding => ({ says, next });

export const step = (role: Role, text: string, ...commands: Command[]): Step => ({ text, role, commands });

/** Returns what follows from facts; if one is unread, only what is missing. */
export function concluded(findings: Fact<readonly Finding[]>): readonly Finding[] {
  if (findings.isRead) return findings.value;
  const missing = findings.missing.map(({ what, error }) => `${what} (${reasonOf(error)})`);
  const says = `Incomplete, because this could not be read: ${missing.join(', ')}.`;
  const denied = findings.missing.flatMap(deniedCall);
  if (denied.length === 0) return [finding(says, { text: 'run this again' })];
  return [finding(says, { text: `your role lacks the permission for ${denied.join(', ')}` })];
}

/** Returns the call that a role may not make, if that is why a fact is missing. */
function deniedCall({ what, error }: Missing): readonly string[] {
  if (!(error instanceof Error && /^AccessDenied|^AuthorizationError/.test(error.name))) return [];
  const [, call = what] = /not authorized to perform: (\S+)/.exec(error.message) ?? [];
  return [call];
}

/** Returns the code of an error of AWS, or what else went wrong. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' ? error.message : error.name;
}

/** Returns the profile that takes a role, as docs/deploying.md names it. */
export const profileOf = (stage: string, role: Role) =>
  `${stage}-${role === 'administrator' ? 'admin' : role}`;

/** Where a command, or a part of one, calls AWS. */
const awsCall = /(?<=^|&& )(?=(?:aws|npx cdk|npm run) )/;

/** Returns a report as text for a terminal: what was found, what to do, and last the figures. */
export function reportText(report: Report): string {
  const { findings, because, unread, stage, at, role, sections } = report;
  if (sections) return printed(sections.map((section) => sectionLines(stage, section)));
  const width = Math.max(...because.map(([title]) => title.length));
  const figures = because.map(([title, text], index) => {
    const shown = title === because[index - 1]?.[0] ? '' : title;
    return `${shown.padEnd(width)}  ${text}`;
  });
  const seen = new Set<string>();
  const [first, ...others] = findings.map(({ says, next }) => {
    // A step that helps against several things is printed once.
    const fresh = next.filter((step) => !seen.has(step.text) || step.commands);
    for (const { text } of next) seen.add(text);
    return { says, steps: fresh.map((step, index) => stepLines(stage, index === 0 ? 'Next' : 'Then', step)) };
  });
  const paragraphs = [
    ...(first ? [[first.says], ...first.steps] : []),
    ...others.map(({ says, steps }) => [`Also: ${says}`, ...steps.flat()]),
    ['Run this again after each step.', ...unread.map((text) => `NOT READ: ${text}`)],
    [`Read at ${at}, role ${role}:`, ...figures],
  ];
  return printed(paragraphs);
}

/** All that is printed goes through here: an outside value cannot begin a line. */
const printed = (paragraphs: readonly (readonly string[])[]) =>
  paragraphs.map((lines) => lines.map(printableLine).join('\n')).join('\n\n');

function sectionLines(stage: string, { title, rows }: Section): readonly string[] {
  const width = Math.max(...rows.map((row) => row.title.length));
  const lines = rows.flatMap((row, index) => {
    const shown = row.title === rows[index - 1]?.title ? '' : row.title;
    const commands = (row.steps ?? []).flatMap((own) => stepLines(stage, '', own).slice(1));
    return [`${shown.padEnd(width)}  ${row.text}`, ...commands];
  });
  return [title, ...lines];
}

function stepLines(stage: string, when: string, { text, role, commands = [] }: Step): readonly string[] {
  const profile = role ? `AWS_PROFILE=${profileOf(stage, role)} ` : '';
  return [
    `${when}${role ? ` (role: ${role})` : ''}: ${text}`,
    ...commands.map((command) => `  ${command.replace(awsCall, profile)}`),
  ];
}

/** Formats an instant in UTC, to the minute. */
export const formatTime = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Formats an instant without its year, for times that stand below a whole one. */
export const shortTime = (time: Date) => time.toISOString().slice(5, 16).replace('T', ' ');

export const count = (total: number) => total.toLocaleString('en');

export const percent = (share: number) => `${(share * 100).toFixed(1)}%`;

/**
 * Describes a table. A restored or emptied one has an old number of items for hours, so nothing is concluded
 * from it.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
 */
export const tableText = ({ name, table }: TableState) =>
  table
    ? `${name} ${table.TableStatus}, ${count(table.ItemCount ?? 0)} items up to six hours ago`
    : `${name} DOES NOT EXIST`;
