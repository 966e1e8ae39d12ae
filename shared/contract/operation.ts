import type { GenericSchema, InferOutput } from 'valibot';
import { type AnyError, definitionOf, type ErrorCode, type ErrorDefinition } from './error-table.ts';

/** A parameter as clients see it: `schema` describes the parsed value, not its text. */
export interface Parameter {
  /** In Markdown. */
  readonly description: string;
  readonly schema: GenericSchema;
  readonly example?: unknown;
}

/** A query parameter or a request header, which a request may omit unless it is required. */
export type OptionalParameter = Parameter &
  (
    | {
        readonly isRequired?: false;
        /** Takes the place of an omitted one. */
        readonly default?: string | number;
        /** The parameters without which its example is invalid: a cursor belongs to a filter. */
        readonly exampleWith?: Readonly<Record<string, string>>;
      }
    // The example is in every request that the release check and the tests derive.
    | {
        readonly isRequired: true;
        readonly example: unknown;
        readonly default?: never;
        readonly exampleWith?: never;
      }
  );

/** A response header; `example` may be a function of the base URL. */
export interface ResponseHeader extends Parameter {
  readonly example: string | number | ((baseUrl: string) => string);
  /** Whether every successful response has it. */
  readonly isRequired?: boolean;
}

/** A JSON body. */
export interface Body {
  readonly schema: GenericSchema;
  readonly example: unknown;
}

/** What a successful response has besides its body. `headers` lists only those specific to the operation. */
interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, ResponseHeader>>;
}

/** An operation's deprecation and removal instants, in ISO 8601, and its replacement, if there is one. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  /** The path of its replacement, below the base address, without path parameters. */
  readonly successor?: `/${string}`;
}

/** An API operation: everything that its function, route, description and tests must agree on. */
export type Operation = OperationRequest &
  (
    | { readonly success: 200 | 201; readonly response: Response & Body }
    | { readonly success: 204; readonly response: Response }
  );

interface OperationRequest {
  /** Also names the handler's file, in kebab case: `listPets` is in `functions/list-pets.ts`. */
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address, with path parameters in braces. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** In Markdown. */
  readonly description: string;
  /** By place and name. */
  readonly parameters: {
    readonly path?: Readonly<Record<string, Parameter>>;
    readonly query?: Readonly<Record<string, OptionalParameter>>;
    readonly header?: Readonly<Record<string, OptionalParameter>>;
  };
  readonly body?: Body;
  /** Errors specific to it, in addition to the common ones. */
  readonly errors: readonly AnyError[];
  readonly deprecation?: Deprecation;
}

/** What a request has in each place, parsed as its operation says. */
export interface ParsedRequest<TOperation extends Operation> {
  /** The absolute URL of its path, without the query. */
  readonly url: string;
  readonly path: Values<TOperation, 'path'>;
  readonly query: Values<TOperation, 'query'>;
  readonly header: Values<TOperation, 'header'>;
  readonly body: TOperation extends { body: { schema: infer Schema extends GenericSchema } }
    ? InferOutput<Schema>
    : undefined;
}

/** The values of an operation's parameters in a place. One that a request may omit can be undefined. */
type Values<TOperation extends Operation, Place extends keyof Operation['parameters']> = {
  readonly [Name in keyof TOperation['parameters'][Place]]: Value<
    TOperation['parameters'][Place][Name],
    Place
  >;
};

type Value<TParameter, Place> = TParameter extends { schema: infer Schema extends GenericSchema }
  ? InferOutput<Schema> | (Place extends 'path' ? never : Omitted<TParameter>)
  : never;

type Omitted<TParameter> = TParameter extends { isRequired: true } | { default: unknown } ? never : undefined;

/** The body of a successful response; a 204 has none. */
export type ResponseBody<TOperation extends Operation> = TOperation['response'] extends Body
  ? Readonly<InferOutput<TOperation['response']['schema']>>
  : undefined;

/** The headers that a successful response may have, and those it must have. */
export type ResponseHeaders<TOperation extends Operation, Headers = TOperation['response']['headers']> = {
  readonly [Name in keyof Headers]?: string;
} & { readonly [Name in keyof Headers as Headers[Name] extends { isRequired: true } ? Name : never]: string };

/** Returns the errors specific to an operation: a deprecated one ends. */
export const errorsOf = ({ errors, deprecation }: Operation): readonly ErrorDefinition[] =>
  (deprecation ? [...errors, 'gone' as const] : errors).map(definitionOf);

/** The errors that every operation can respond with. */
export const commonErrors = [
  'unauthorized',
  'too_many_requests',
  'internal_error',
  'service_unavailable',
  'gateway_timeout',
] as const satisfies readonly ErrorCode[];

/** The headers of every response, including errors from API Gateway itself. */
export const commonHeaders = {
  'Cache-Control': 'no-store',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
} as const;
