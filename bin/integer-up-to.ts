import { InvalidArgumentError } from 'commander';

/** Parses the value of an option that takes an integer from 0 to `maximum`. */
export function integerUpTo(maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be an integer from 0 to ${maximum}.`);
  };
}
