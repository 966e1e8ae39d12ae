import { InvalidArgumentError } from 'commander';

/** Parses the value of an option that takes a number with a unit, such as `2s` or `5%`. */
export function numberWithUnit(unit: string, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number.parseFloat(text);
    if (text === `${value}${unit}` && value >= 0 && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a number from 0${unit} to ${maximum}${unit}.`);
  };
}
