/** Returns the part of a changelog that is for clients, by release. */
export function clientChanges(changelog: string): string {
  const [, ...releases] = changelog.split(/^## /m);
  return releases
    .map((release) => {
      const [title = '', ...sections] = release.split(/^### /m);
      const forClients = sections.find((section) => section.startsWith('For clients')) ?? '';
      return `### ${title.trim()}${forClients.replace('For clients', '')}`;
    })
    .join('\n');
}
