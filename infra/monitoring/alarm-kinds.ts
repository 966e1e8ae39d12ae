/** The sections of the runbook that alarms lead to, with what they say there and whether clients notice. */
export const sections = {
  'a-page': 'Clients notice: requests fail, are slow, refused, missing or not logged.',
  'requests-fail': 'More requests get a 5xx than the objective allows. Their clients notice.',
  'responses-are-slow': 'More responses are slow than the objective allows. Their clients notice.',
  'keys-are-refused':
    'Many keys are refused: made up, malformed, expired, revoked or lost. Owners of lost ones notice.',
  'requests-are-throttled': 'An operation is at its limit. Clients that get a 429 notice.',
  'requests-are-rejected':
    'Nearly all requests to an operation get a 400 or 404. Is a release too strict? Their clients notice.',
  'functions-or-tables-are-throttled':
    'Lambda throttles a function, or DynamoDB a table. Clients that get a 5xx notice.',
  'a-damaged-item':
    'A stored item does not parse: lists omit it, and reading it is a 5xx. The clients that need it notice.',
  'the-web-acl-blocks-clients': 'The web ACL blocks requests that have a key. Their clients notice.',
  'the-access-log-is-empty': 'Most alarms see nothing meanwhile. Clients may notice what they miss.',
  'the-certificate-expires': 'Once it has expired, clients notice: none can connect.',
  'nobody-was-paged': 'Clients may notice what the lost message was about.',
};
export type Section = keyof typeof sections;

export interface Meaning {
  /**
   * All causes of the page share it. Causes of a ticket share it if they have the same section, and it is not sent
   * while the page is open. What is no cause of an outage notifies by itself, whether or not the page is open.
   */
  readonly leadsTo: 'the page' | 'a ticket' | 'its own page' | 'its own ticket' | 'a rollback';
  readonly section: Section;
  /** A sentence without its full stop: the text of an alarm adds figures. */
  readonly says: string;
}

/**
 * What each kind of alarm leads to, and what it means: for its own text, and for whoever reads a stage. An alarm's name
 * in the stack is its kind, and after a hyphen perhaps what it is about.
 */
export const alarmKinds = {
  AvailabilityBurnsFast: {
    leadsTo: 'the page',
    section: 'a-page',
    says: 'Too many requests got a 5xx, and some still do',
  },
  LatencyBurnsFast: {
    leadsTo: 'the page',
    section: 'a-page',
    says: 'Too many responses were slow, and some still are',
  },
  MostRequestsThrottled: { leadsTo: 'the page', section: 'a-page', says: 'Most requests got a 429' },
  OperationDown: {
    leadsTo: 'the page',
    section: 'a-page',
    says: 'Most requests to an operation got a 5xx',
  },
  NothingServed: {
    leadsTo: 'the page',
    section: 'a-page',
    says: 'No request was served: none arrived, or all failed or were refused',
  },
  GatewayErrors: {
    leadsTo: 'the page',
    section: 'a-page',
    says: "By API Gateway's own count, too many responses are a 5xx",
  },
  AccessLogEmpty: {
    leadsTo: 'the page',
    section: 'the-access-log-is-empty',
    says: 'The access log lacks requests that API Gateway counts',
  },
  AvailabilityBurnsSlowly: {
    leadsTo: 'a ticket',
    section: 'requests-fail',
    says: 'Too many requests got a 5xx',
  },
  AvailabilityBurnsForDays: {
    leadsTo: 'a ticket',
    section: 'requests-fail',
    says: 'For days, too many requests have got a 5xx',
  },
  OperationFails: {
    leadsTo: 'a ticket',
    section: 'requests-fail',
    says: 'Too many requests to an operation got a 5xx',
  },
  OperationSlow: {
    leadsTo: 'a ticket',
    section: 'responses-are-slow',
    says: 'Too many responses of an operation were slow',
  },
  KeysRefused: {
    leadsTo: 'a ticket',
    section: 'keys-are-refused',
    says: 'Too many requests had a refused key',
  },
  RequestsThrottled: {
    leadsTo: 'a ticket',
    section: 'requests-are-throttled',
    says: 'Too many requests got a 429',
  },
  RequestsRejected: {
    leadsTo: 'a ticket',
    section: 'requests-are-rejected',
    says: 'Nearly all requests to an operation got a 400 or 404',
  },
  DamagedItems: { leadsTo: 'a ticket', section: 'a-damaged-item', says: 'A function found a damaged item' },
  FunctionsThrottled: {
    leadsTo: 'a ticket',
    section: 'functions-or-tables-are-throttled',
    says: "A function is out of concurrency, its own or the account's",
  },
  TablesThrottled: {
    leadsTo: 'a ticket',
    section: 'functions-or-tables-are-throttled',
    says: 'A partition of a table or an index is at its limit',
  },
  WebAclBlocks: {
    leadsTo: 'a ticket',
    section: 'the-web-acl-blocks-clients',
    says: 'Too many requests that have a key were blocked',
  },
  CertificateExpiresSoon: {
    leadsTo: 'its own page',
    section: 'the-certificate-expires',
    says: "The domain's certificate expires within days",
  },
  CertificateExpires: {
    leadsTo: 'its own ticket',
    section: 'the-certificate-expires',
    says: "The domain's certificate expires within weeks",
  },
  NotificationsFail: {
    leadsTo: 'its own ticket',
    section: 'nobody-was-paged',
    says: 'SNS could not deliver a page or a ticket',
  },
  Release: {
    leadsTo: 'a rollback',
    section: 'requests-fail',
    // It fires without a release too, such as when DynamoDB fails.
    says: 'Too many requests fail, are slow or are rejected: a release in progress is rolled back',
  },
} satisfies Record<string, Meaning>;

export type AlarmKind = keyof typeof alarmKinds;

/** The end of the name of an alarm's shorter window, which says whether the alarm is over. */
export const nowSuffix = 'Now';
