import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { access } from '../../../test/support/infra/access.ts';

const { actionsOf } = access;

/** What AWS asks for beside the action that a command names. */
const implied = [
  // https://docs.aws.amazon.com/waf/latest/APIReference/API_AssociateWebACL.html
  'apigateway:SetWebACL',
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/backuprestore_IAM.html
  'dynamodb:BatchWriteItem',
  'dynamodb:DeleteItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:Scan',
  'dynamodb:UpdateItem',
  ...actionsOf('reader'),
];

it.each(['on-call', 'restore'])('%s may do only what a document or a verb does', (role) => {
  const texts = globSync(['docs/*.md', 'bin/keys/*.md', 'bin/stage/{*.md,!(test)/**/*.ts,*.ts}']).map(
    (path) => readFileSync(path, 'utf8'),
  );
  // The command lookup-events and the class LookupEventsCommand name the same action.
  const words = new Set(
    texts
      .join('\n')
      .toLowerCase()
      .replaceAll('-', '')
      .match(/[a-z]+/g),
  );
  const methods: Readonly<Record<string, string>> = {
    'apigateway:DELETE': 'flushstageauthorizerscache',
    'apigateway:PATCH': 'updatestage',
  };

  const unused = actionsOf(role).filter((action) => {
    const name = methods[action] ?? action.toLowerCase().replace(/^.*:/, '');
    return ![name, `${name}command`, `paginate${name}`].some((word) => words.has(word));
  });
  expect(unused.filter((action) => !implied.includes(action))).toEqual([]);
});
