import db from 'dynalite/db/index.js';
import putItem from 'dynalite/validations/putItem.js';

const { checkConditional } = db;

/** Lets dynalite give the item in the way of a PutItem that asks for it: it knows of no such parameter. */
export function returnOldItems(): void {
  putItem.types['ReturnValuesOnConditionCheckFailure'] = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
  db.checkConditional = (call, item) => {
    const failure = checkConditional(call, item);
    if (failure && call['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD') failure.body['Item'] = item;
    return failure;
  };
}
