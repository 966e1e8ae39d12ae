import type { GenericSchema, InferOutput } from 'valibot';
import type { Deprecation } from './deprecation.ts';
import type { ErrorCode } from './errors/error-table.ts';

/** A parameter as clients see it: `schema` describes the parsed value, not its text. */
export interface Parameter {
  /** In Markdown. */
  readonly description: string;
  readonly schema: GenericSchema;
  readonly example?: unknown;
}

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
  readonly parameters: Readonly<Partial<Record<'path' | 'query' | 'header', Record<string, Parameter>>>>;
  readonly body?: Body;
  /** Errors specific to it, in addition to the common ones. */
  readonly errors: readonly ErrorCode[];
  readonly deprecation?: Deprecation;
}

/** The body of a successful response; a 204 has none. */
export type ResponseBody<TOperation extends Operation> = TOperation['response'] extends Body
  ? Readonly<InferOutput<TOperation['response']['schema']>>
  : undefined;

/** The headers that a successful response may have, and those it must have. */
export type ResponseHeaders<TOperation extends Operation, Headers = TOperation['response']['headers']> = {
  readonly [Name in keyof Headers]?: string;
} & { readonly [Name in keyof Headers as Headers[Name] extends { isRequired: true } ? Name : never]: string };
