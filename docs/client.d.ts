// client/pet-store-client.d.ts

import type { PetStatus } from '../pets/pet.ts';
import type { CallOptions, ClientOptions } from './client-options.ts';
import { type NewPet, Pet } from './pet.ts';
export { parseJson, stringifyJson } from '../contract/json.ts';
export type { PetStatus } from '../pets/pet.ts';
export { PetStoreError, type PetStoreErrorCode } from './client-error.ts';
export type { CallOptions, ClientEvent, ClientOptions } from './client-options.ts';
export type { NewPet, Pet } from './pet.ts';
/** How to create a pet. */
export interface CreateOptions extends CallOptions {
    /**
     * 1 to 255 visible ASCII characters: a later call with the same key and the same pet creates no second one. By
     * default a new UUID, which only the retries of this call share.
     */
    readonly idempotencyKey?: string;
}
/** Which pets to list. */
export interface ListOptions extends CallOptions {
    readonly status?: PetStatus;
    /** The maximum number of pets on a page: 100 by default. */
    readonly limit?: number;
    /** The `nextCursor` of a page that was listed with the same status. */
    readonly cursor?: string;
}
interface Received {
    /** The headers of the response. */
    readonly headers: Headers;
    /** The `x-amzn-RequestId` of the response, to quote to the operator. */
    readonly requestId: string | undefined;
}
/** A page of pets. Iterating over it yields its pets, then those of the pages that follow, fetched lazily. */
export interface PetPage extends Received, AsyncIterable<Pet> {
    readonly pets: readonly Pet[];
    /** Where the next page starts, to store and to pass to `listPets`; undefined on the last page. */
    readonly nextCursor: string | undefined;
    /** Reads the next page, with the same options; the last page has none. */
    nextPage(): Promise<PetPage | undefined>;
}
/**
 * The first page, once you await it. Iterating over it yields the pets of all pages. Its request is sent when you
 * first do either, and only once.
 */
export interface PetList extends Promise<PetPage>, AsyncIterable<Pet> {
}
/** A pet that was read. */
export interface FoundPet extends Received {
    readonly pet: Pet;
}
/** A pet that was created, now or before. */
export interface CreatedPet extends FoundPet {
    /**
     * False if this call created the pet, and true if the pet existed before. Undefined if an attempt of this call
     * got a 5xx or no response, and the next one found a pet: either is possible.
     */
    readonly isReplayed: boolean | undefined;
}
/**
 * Calls the API. Its 64-bit integers are bigints, exact to the last digit. Retries failed attempts where that
 * helps; a create keeps its Idempotency-Key. The last failure throws a `PetStoreError`.
 *
 * Requires a runtime with `fetch` and `JSON.rawJSON`, such as Node 22 or later.
 *
 * @example
 * ```ts
 * const api = new PetStoreClient({ baseUrl: 'https://pets.example.com/v1', apiKey });
 * const { pet } = await api.createPet({ name: 'Bella', categoryId: 1n }, { idempotencyKey: 'order-4712' });
 * for await (const { id, name } of api.listPets({ status: 'available' })) console.log(id, name);
 * ```
 */
export declare class PetStoreClient {
    #private;
    /** @throws {TypeError} that names an option with an impossible value */
    constructor(options: ClientOptions);
    /**
     * Creates one pet per key, however often it is called.
     *
     * @throws {TypeError} if the key cannot be sent as a header
     */
    createPet(newPet: NewPet, options?: CreateOptions): Promise<CreatedPet>;
    /**
     * Lists all pets, or those with one status. Await it to get a page. Iterate over it, with or without awaiting it,
     * to get the pets of all pages.
     */
    listPets(options?: ListOptions): PetList;
    /**
     * Reads a pet.
     *
     * @throws {TypeError} if the id is not a positive integer: with an empty id, the API would return the list
     * @deprecated Use `listPets` with a status: the operation will be removed at its sunset.
     */
    getPet(petId: bigint, call?: CallOptions): Promise<FoundPet>;
}

// pets/pet.d.ts

import * as v from 'valibot';
/** The availability of a pet. */
export declare const PetStatus: v.PicklistSchema<["available", "pending", "sold"], undefined>;
export type PetStatus = v.InferOutput<typeof PetStatus>;
/** What a client sends to create a pet. Unknown fields are dropped; integers are bigints. */
export declare const NewPet: v.ObjectSchema<{
    readonly name: v.SchemaWithPipe<readonly [v.StringSchema<"must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.MinLengthAction<string, 1, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.MaxCodePointsAction<string, 255, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.RegexAction<string, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.CheckAction<string, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">]>;
    readonly categoryId: v.SchemaWithPipe<readonly [v.BigintSchema<string>, v.MinValueAction<bigint, bigint, string>, v.MaxValueAction<bigint, bigint, string>]>;
    readonly status: v.OptionalSchema<v.PicklistSchema<["available", "pending", "sold"], undefined>, "available">;
}, undefined>;
export type NewPet = v.InferOutput<typeof NewPet>;
/**
 * The status of a stored pet, which a later version of the service may have written: that version may run
 * beside this one, or may have been rolled back. The interface description gives it as a `PetStatus`.
 */
export declare const StoredStatus: v.StringSchema<undefined>;
/** A pet as the API returns it: the fields sent, the status filled in, and an `id` below 2^53. */
export declare const Pet: v.ObjectSchema<{
    readonly name: v.SchemaWithPipe<readonly [v.StringSchema<"must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.MinLengthAction<string, 1, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.MaxCodePointsAction<string, 255, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.RegexAction<string, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.CheckAction<string, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">]>;
    readonly categoryId: v.SchemaWithPipe<readonly [v.BigintSchema<string>, v.MinValueAction<bigint, bigint, string>, v.MaxValueAction<bigint, bigint, string>]>;
    readonly id: v.SchemaWithPipe<readonly [v.BigintSchema<undefined>, v.MinValueAction<bigint, 1n, undefined>, v.MaxValueAction<bigint, bigint, undefined>]>;
    readonly status: v.StringSchema<undefined>;
}, undefined>;
export type Pet = v.InferOutput<typeof Pet>;
/** The descriptions of a pet's fields, in Markdown. */
export declare const petFields: {
    readonly id: 'Assigned by the service; below 2^53.';
    readonly name: "1 to 255 Unicode code points, not only white space, without lone surrogates; kept exactly as sent.";
    readonly categoryId: 'The category that the pet belongs to; any 64-bit integer, kept exactly.';
    readonly status: 'The availability of the pet.';
};

// client/client-options.d.ts

/** Options for one call, or for all calls of a client. */
export interface CallOptions {
    /** Milliseconds for a call with its retries: 120,000 by default. */
    readonly timeout?: number;
    /** How often a failed attempt is repeated at most: 10 times by default. */
    readonly retries?: number;
    /** Sent with each request, such as a `traceparent`. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Aborts the call and its retries, as the client's own signal does: it fails with the code `aborted`. */
    readonly signal?: AbortSignal;
}
/** How to reach the API. */
export interface ClientOptions extends CallOptions {
    /** An absolute http or https URL that ends in `/v1`. */
    readonly baseUrl: string;
    readonly apiKey: string;
    /** Your application in the `User-Agent`, such as `storefront/2.1`. */
    readonly application?: string;
    /** Called for each event, and awaited. What it throws ends the call. */
    readonly onEvent?: (event: ClientEvent) => unknown;
    /** Sends a request in place of the runtime's `fetch`, and rejects when the request's signal is aborted. */
    readonly fetch?: (request: Request) => Promise<Response>;
}
/** What happens during a call. No event contains the API key or a body. */
export type ClientEvent = RequestEvent | ResponseEvent | RetryEvent | DeprecationEvent;
/** What every event says. */
export interface Attempt {
    /** The operation, such as `listPets`. */
    readonly operation: string;
    /** The same for all attempts of a call. */
    readonly callId: string;
    /** The first attempt of a call is 1. */
    readonly attempt: number;
    readonly method: string;
    readonly url: string;
}
/** A request is about to be sent. */
interface RequestEvent extends Attempt {
    readonly type: 'request';
}
/** A response has arrived as a whole. */
interface ResponseEvent extends Attempt {
    readonly type: 'response';
    readonly status: number;
    /** The `x-amzn-RequestId`, to quote to the operator. */
    readonly requestId: string | undefined;
    /** The time since its request. */
    readonly milliseconds: number;
}
/** An attempt failed. After a wait, the next one follows. */
interface RetryEvent extends Attempt {
    readonly type: 'retry';
    /** The HTTP status, or 0 without a response. */
    readonly status: number;
    readonly waitMilliseconds: number;
}
/** The operation is deprecated. A client says so once per operation. */
interface DeprecationEvent extends Attempt {
    readonly type: 'deprecation';
    /** When it was deprecated, or will be (RFC 9745), unless the response gives another kind of date. */
    readonly since: Date | undefined;
    /** When it will be removed (RFC 8594), if that is known. */
    readonly sunset: Date | undefined;
}
export {};

// client/pet.d.ts

import * as v from 'valibot';
import * as contract from '../pets/pet.ts';
/** A pet to create. */
export type NewPet = Readonly<v.InferInput<typeof contract.NewPet>>;
/** Later API versions may add statuses. */
type Status = contract.PetStatus | (string & Record<never, never>);
declare const Status: v.CustomSchema<Status, undefined>;
/** A pet as the API returns it. */
export declare const Pet: v.ObjectSchema<{
    readonly name: v.SchemaWithPipe<readonly [v.StringSchema<"must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.MinLengthAction<string, 1, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.MaxCodePointsAction<string, 255, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.RegexAction<string, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">, v.CheckAction<string, "must be a string of 1 to 255 Unicode code points, not only white space, without lone surrogates">]>;
    readonly categoryId: v.SchemaWithPipe<readonly [v.BigintSchema<string>, v.MinValueAction<bigint, bigint, string>, v.MaxValueAction<bigint, bigint, string>]>;
    readonly id: v.SchemaWithPipe<readonly [v.BigintSchema<undefined>, v.MinValueAction<bigint, 1n, undefined>, v.MaxValueAction<bigint, bigint, undefined>]>;
    readonly status: v.CustomSchema<Status, undefined>;
}, undefined>;
export type Pet = Readonly<v.InferOutput<typeof Pet>>;
export {};

// contract/json.d.ts

import * as v from 'valibot';
/**
 * Parses JSON, returning every integer as an exact bigint (`1.0` and `1e3` are integers too).
 * `JSON.parse` rounds integers past 2^53.
 *
 * @throws {SyntaxError} if `JSON.parse` does
 */
export declare function parseJson(text: string): unknown;
/** Returns a schema for JSON text with exact integers. */
export declare const jsonText: <T>(schema: v.GenericSchema<unknown, T>) => v.GenericSchema<unknown, T>;
/** Serializes to JSON, each bigint with all its digits; `space` indents as in `JSON.stringify`. */
export declare function stringifyJson(value: unknown, space?: number): string;

// client/client-error.d.ts

import type { ErrorCode } from '../contract/error-table.ts';
/**
 * The code of an API error, or of another failure: `timeout` (no response in time), `aborted` (by a signal),
 * `unreachable` (no connection, or it was lost before the whole response) or `unexpected_response` (not from the
 * API). Later API versions may add codes.
 */
export type PetStoreErrorCode = (ErrorCode | 'aborted' | 'timeout' | 'unreachable' | 'unexpected_response') | (string & Record<never, never>);
/** What an error says of its request and of the response, if there is one. */
interface FailedRequest {
    readonly url: string;
    readonly status?: number;
    readonly headers?: Headers;
    readonly cause?: unknown;
}
/** A failed call, with the code, message and status of the API's error. It never has the API key. */
export declare class PetStoreError extends Error {
    readonly name = "PetStoreError";
    /** The API's code, else `aborted`, `timeout`, `unreachable` or `unexpected_response`. */
    readonly code: PetStoreErrorCode;
    /** The HTTP status, or 0 without a response. */
    readonly status: number;
    readonly url: string;
    /** Those of the response: none without one. */
    readonly headers: Headers;
    /** The `x-amzn-RequestId` of the response, to quote to the operator. */
    readonly requestId: string | undefined;
    /** The seconds that the response asks to wait before another call, if it does. */
    readonly retryAfter: number | undefined;
    constructor(code: PetStoreErrorCode, message: string, { url, status, headers, cause }: FailedRequest);
}
/** @internal */
export declare const requestIdOf: (headers: Headers) => string | undefined;
export {};

// contract/error-table.d.ts

/** An error that clients see. */
export interface ErrorDefinition {
    /** Machine-readable. */
    readonly code: string;
    readonly status: number;
    /** Says what to change. */
    readonly message: string;
    readonly headers?: Readonly<Record<string, string>>;
}
/** The errors of any service, by their `code`. */
export declare const errorTable: {
    readonly invalid_json: {
        readonly status: 400;
        readonly message: 'The body must be well-formed JSON.';
    };
    readonly invalid_body: {
        readonly status: 400;
        readonly message: 'The body has a missing or invalid field.';
    };
    readonly invalid_query: {
        readonly status: 400;
        readonly message: 'A query parameter is invalid.';
    };
    readonly invalid_header: {
        readonly status: 400;
        readonly message: 'A header is invalid.';
    };
    readonly invalid_request: {
        readonly status: 400;
        readonly message: 'The request is invalid.';
    };
    readonly unauthorized: {
        readonly status: 401;
        readonly message: 'A valid API key is required: send it as "Authorization: Bearer <API key>".';
    };
    readonly not_found: {
        readonly status: 404;
        readonly message: 'The requested resource could not be found.';
    };
    readonly method_not_allowed: {
        readonly status: 405;
        readonly message: 'The path supports only the methods in the Allow header.';
    };
    readonly gone: {
        readonly status: 410;
        readonly message: 'This operation has been removed. If another one replaces it, its URL is in the Link header.';
    };
    readonly payload_too_large: {
        readonly status: 413;
        readonly message: "The body must be at most 16 KiB.";
    };
    readonly unsupported_media_type: {
        readonly status: 415;
        readonly message: 'The body must be sent as application/json.';
    };
    readonly idempotency_key_reused: {
        readonly status: 422;
        readonly message: 'This Idempotency-Key was used before with another body: send a new key with a new body.';
    };
    readonly too_many_requests: {
        readonly status: 429;
        readonly message: 'Too many requests: retry after the number of seconds in Retry-After.';
        readonly headers: {
            readonly 'Retry-After': '1';
        };
    };
    readonly internal_error: {
        readonly status: 500;
        readonly message: 'The service failed unexpectedly.';
    };
    readonly service_unavailable: {
        readonly status: 503;
        readonly message: 'The service is temporarily unavailable: retry after the number of seconds in Retry-After.';
        readonly headers: {
            readonly 'Retry-After': '1';
        };
    };
    readonly gateway_timeout: {
        readonly status: 504;
        readonly message: 'The service did not respond in time: try again.';
    };
};
export type ErrorCode = keyof typeof errorTable;
export declare const errorCodes: readonly ErrorCode[];
/** An error of any service, by its code, or one of a single service, which its operations list. */
export type AnyError = ErrorCode | ErrorDefinition;
export declare const definitionOf: (error: AnyError) => ErrorDefinition;
/** What is logged of an error: its cause, and what was invalid. */
interface ApiErrorOptions extends ErrorOptions {
    /** The names of the invalid fields or parameters, or a position, never a value that a client sent. */
    readonly details?: Readonly<Partial<Record<'invalid' | 'position', string>>>;
}
/** An error that the client sees, thrown where the fault is known. Any other error is a defect. */
export declare class ApiError extends Error {
    readonly name = "ApiError";
    readonly code: string;
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly details: ApiErrorOptions['details'];
    /** `message` replaces that of the error; `options` are logged, never part of a response. */
    constructor(error: AnyError, message?: string, options?: ApiErrorOptions);
}
/** Returns the body of an error response, as JSON text. */
export declare function errorBody(error: AnyError, message?: string): string;
export {};
