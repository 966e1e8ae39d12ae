import { InvalidArgumentError } from 'commander';

/** Returns a parser for an option that takes an integer in a range. */
export function integerBetween(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be an integer from ${minimum} to ${maximum}.`);
  };
}

/** Parses the value of an option that takes a number with a unit, such as `2s` or `5%`. */
export function numberWithUnit(unit: string, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number.parseFloat(text);
    if (text === `${value}${unit}` && value >= 0 && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a number from 0${unit} to ${maximum}${unit}.`);
  };
}
