import { InvalidArgumentError } from 'commander';

export function integerBetween(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be an integer from ${minimum} to ${maximum}.`);
  };
}

export function numberWithUnit(unit: string, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number.parseFloat(text);
    if (text === `${value}${unit}` && value >= 0 && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a number from 0${unit} to ${maximum}${unit}.`);
  };
}
