import { describe, expect, it } from 'vitest';
import { addToMap, checkColumns, type FieldMap, fieldOf } from '../../../bin/catalogue/field-map.ts';

const mapOf = (...pairs: readonly string[]): FieldMap =>
  pairs.reduce<FieldMap>((map, pair) => addToMap(pair, map), new Map());

describe('a map of columns', () => {
  it('says which field a column is, and which column is none', () => {
    const map = mapOf('title=name', 'a=b=categoryId', 'status=');

    const fields = ['title', 'a=b', 'status', 'name', 'note'].map((column) => fieldOf(column, map));

    expect(fields).toStrictEqual(['name', 'categoryId', undefined, 'name', undefined]);
  });

  it.each([
    ['title', 'It must be column=field, or column= to leave a column out.'],
    ['=name', 'It must be column=field, or column= to leave a column out.'],
    ['title=Name', 'A pet has no field Name: its fields are name, categoryId, status.'],
    ['label=status', 'The column label is given twice.'],
  ])('refuses the pair %s', (pair, message) => {
    expect(() => addToMap(pair, mapOf('label=name'))).toThrow(new Error(message));
  });
});

describe('the columns of a catalogue', () => {
  it.each([
    [['name', 'categoryId', 'status', 'id', 'note', 'note', ''], mapOf()],
    [['name', 'Name', 'category_id'], mapOf('Name=', 'category_id=categoryId')],
    [['name', 'title'], mapOf('title=name', 'name=')],
  ])('may be %j', (columns, map) => {
    expect(() => checkColumns(columns, map)).not.toThrow();
  });

  it.each([
    [['name', 'State'], mapOf('state=status'), 'There is no column state. The columns are: name, State.'],
    [
      ['name', 'title'],
      mapOf('title=name'),
      'The columns name and title are both name: leave one out with --map title=. The columns are: name, title.',
    ],
    [['name', 'name'], mapOf(), 'The column name is there twice. The columns are: name, name.'],
    [
      [' Category-ID'],
      mapOf(),
      'The column  Category-ID looks like categoryId: say so with --map " Category-ID=categoryId", or --map " Category-ID=". The columns are:  Category-ID.',
    ],
    [
      ['Name;Status'],
      mapOf(),
      'The column Name;Status is several: save the file with commas in place of ;. The columns are: Name;Status.',
    ],
  ])('are refused when they are %j', (columns, map, message) => {
    expect(() => checkColumns(columns, map)).toThrow(new Error(message));
  });
});
