import { readFileSync } from 'node:fs';
import * as shipped from '../../infra/settings/objectives.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { description } from '../../shared/service.ts';
import { clientSamples } from './client-samples.ts';
import { type Address, fillTemplate, guide } from './document.ts';

/** Returns what a partner needs on the first day, in Markdown: the guide, and what depends on the stage. */
export function pageGuide(
  { baseUrl, contact, fairUse, objectives = shipped.objectives }: Address,
  keySource?: string,
): string {
  const operator = contact
    ? [contact.name, contact.email, contact.url].filter(Boolean).join(', ')
    : 'the operator of this API';
  return fillTemplate('page-guide.md', {
    baseUrl,
    guide: guide({ fairUse }),
    contact: operator,
    keySource: keySource ?? `You get an API key from ${operator}.`,
    newPetJson: stringifyJson(description.exampleBody),
    clientPrograms: clientSamples.map(({ program }) => `\n${program}\n`).join(''),
    availability: `${100 * (1 - objectives.errorBudget)}%`,
    changelog: clientChanges(readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')),
  });
}

/** Returns the part of a changelog that is for clients, by release. */
export const clientChanges = (changelog: string): string =>
  changelog
    .split(/^(?=##)/m)
    .slice(1)
    .filter((section) => !section.startsWith('### ') || section.startsWith('### For clients'))
    .map((section) => section.replace('### For clients\n', '').replace(/^## /, '### '))
    .join('');
