import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaultPort } from '../cli/default-address.ts';
import { integerBetween, percentage } from '../cli/number-options.ts';

/** What a user chooses. */
export interface ReadyOptions {
  readonly port: number;
  /** Whether to delete what earlier starts have kept. */
  readonly fresh: boolean;
  /** By default 12. */
  readonly pets?: number;
  /** From 0 to 1. */
  readonly throttle?: number;
  /** The share of responses that functions lose, from 0 to 1. */
  readonly fail?: number;
  /** The share of requests that are blocked as the web ACL does, from 0 to 1. */
  readonly block?: number;
  readonly json: boolean;
}

/** Other development servers take it. */
function loopback(address: string): string {
  if (['127.0.0.1', 'localhost'].includes(address)) return address;
  throw new InvalidArgumentError('Only 127.0.0.1 is listened on: no other machine may read keys and tables.');
}

/** Adds the options of every command that serves the API. */
export const addReadyOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--port <number>', 'the port to listen on, 0 for any free one')
        .argParser(integerBetween(0, 65_535))
        .default(defaultPort)
        .env('PORT'),
    )
    .addOption(new Option('--host <address>').argParser(loopback).hideHelp())
    .option('--fresh', 'delete the tables and the key that earlier starts have kept', false)
    .option(
      '--pets <number>',
      'how many sample pets to create in new tables (default: 12)',
      integerBetween(0, 1_000_000),
    )
    .option('--throttle <share>', 'throttle this share of calls to DynamoDB, such as 5%', percentage)
    .option('--fail <share>', 'lose this share of responses after the work is done, such as 2%', percentage)
    .option(
      '--block <share>',
      'block this share of requests, as above the limit of a key, such as 5%',
      percentage,
    )
    .option('--json', 'print one line of JSON when ready, and the logs as JSON on standard error', false);
