import { InvalidArgumentError } from 'commander';

export function integerBetween(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be an integer from ${minimum} to ${maximum}.`);
  };
}

/** Parses a percentage such as `5%` into a share from 0 to 1. */
export function percentage(text: string): number {
  const percent = Number.parseFloat(text);
  if (text === `${percent}%` && percent >= 0 && percent <= 100) return percent / 100;
  throw new InvalidArgumentError('It must be a percentage from 0% to 100%.');
}
