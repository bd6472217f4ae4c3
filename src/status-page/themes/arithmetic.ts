import { Decimal, unwrap } from './safe-values.js';

type Filter = (value: unknown, ...operands: unknown[]) => unknown;

/** A number of a template: `isDecimal` distinguishes 60.0 from 60, which JavaScript cannot. */
interface Operand {
  number: number;
  isDecimal: boolean;
}

const decimalText = /^-?\d+\.\d+$/;

/** As Liquid: a text counts by the integer that it begins with, and what is neither number nor text is 0. */
function toOperand(value: unknown): Operand {
  if (value instanceof Decimal) return { number: value.number, isDecimal: true };
  const content = unwrap(value);
  if (typeof content === 'number') return { number: content, isDecimal: !Number.isInteger(content) };
  const text = typeof content === 'string' ? content.trim() : '';
  if (decimalText.test(text)) return { number: Number(text), isDecimal: true };
  return { number: Number.parseInt(text, 10) || 0, isDecimal: false };
}

/** Drops the error of binary fractions where that makes a number much shorter: 0.1 * 3 is 0.3. */
function roundOff(number: number): number {
  const rounded = Number(number.toPrecision(15));
  return String(rounded).length + 2 < String(number).length ? rounded : number;
}

const countPlaces = (number: number): number => (/^-?\d+\.(\d+)$/.exec(String(number))?.[1] ?? '').length;

/** Calculates with whole numbers, and moves the decimal point back: 0.1 + 0.2 is 0.3. */
const withoutPoint =
  (calculate: Operation): Operation =>
  (value, operand) => {
    const places = Math.max(countPlaces(value), countPlaces(operand));
    const whole = (number: number) => Math.round(shift(number, places));
    return places ? shift(calculate(whole(value), whole(operand)), -places) : calculate(value, operand);
  };

type Operation = (value: number, operand: number) => number;

const integerOperations: Record<string, Operation> = {
  plus: (value, operand) => value + operand,
  minus: (value, operand) => value - operand,
  times: (value, operand) => value * operand,
  divided_by: (value, operand) => Math.floor(value / operand),
  modulo: (value, operand) => value - operand * Math.floor(value / operand),
};

const operations: Record<string, Operation> = {
  plus: withoutPoint(integerOperations.plus!),
  minus: withoutPoint(integerOperations.minus!),
  times: (value, operand) => roundOff(value * operand),
  divided_by: (value, operand) => roundOff(value / operand),
  modulo: withoutPoint(integerOperations.modulo!),
};

interface FilterThis {
  token?: { args?: { getText?(): string }[] };
}

/** A literal of the template with a decimal point is a decimal, although the engine passes a number. */
const isDecimalLiteral = ({ token }: FilterThis) => decimalText.test(token?.args?.[0]?.getText?.() ?? '');

/**
 * Liquid's arithmetic: integers give integers (`7205 | divided_by: 60` is 120), decimals give decimals
 * (`divided_by: 60.0`, `times: 1.0`).
 */
const arithmetic = Object.keys(operations).map((name): [string, Filter] => [
  name,
  function (this: FilterThis, value, operand) {
    const [left, right] = [toOperand(value), toOperand(operand)];
    const isDecimal = left.isDecimal || right.isDecimal || isDecimalLiteral(this);
    if (isDecimal) return new Decimal(operations[name]!(left.number, right.number));
    const isDivision = name === 'divided_by' || name === 'modulo';
    return isDivision && right.number === 0
      ? 'Liquid error: divided by 0'
      : integerOperations[name]!(left.number, right.number);
  },
]);

const toNumber = ({ number, isDecimal }: Operand): number | Decimal => (isDecimal ? new Decimal(number) : number);

function choose(this: FilterThis, value: unknown, limit: unknown, isBetter: (one: number, other: number) => boolean) {
  const [left, right] = [toOperand(value), toOperand(limit)];
  if (isBetter(left.number, right.number)) return toNumber(left);
  return toNumber({ ...right, isDecimal: right.isDecimal || isDecimalLiteral(this) });
}

function round(value: unknown, digits: unknown): number | Decimal {
  const { number, isDecimal } = toOperand(value);
  const places = Math.trunc(toOperand(digits).number);
  const size = shift(Math.round(shift(Math.abs(number), places)), -places);
  const rounded = Number.isFinite(size) ? Math.sign(number) * size || 0 : number;
  return isDecimal && places > 0 ? new Decimal(rounded) : rounded;
}

/** Moves the decimal point, without the error of a multiplication. */
function shift(number: number, places: number): number {
  const [mantissa, power = '0'] = String(number).split('e');
  return Number(`${mantissa}e${Number(power) + places}`);
}

const wholeNumber =
  (convert: (number: number) => number): Filter =>
  value =>
    convert(toOperand(value).number) || 0;

export const arithmeticFilters: Record<string, Filter> = {
  ...Object.fromEntries(arithmetic),
  abs: value => {
    const { number, isDecimal } = toOperand(value);
    return toNumber({ number: Math.abs(number), isDecimal });
  },
  ceil: wholeNumber(Math.ceil),
  floor: wholeNumber(Math.floor),
  round,
  at_least(this: FilterThis, value, limit) {
    return choose.call(this, value, limit, (one, other) => one >= other);
  },
  at_most(this: FilterThis, value, limit) {
    return choose.call(this, value, limit, (one, other) => one <= other);
  },
};
