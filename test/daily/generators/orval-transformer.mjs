/** Leaves open what JSON.parse rounds. */
export default (description) => {
  const { Pet } = description.components.schemas;
  // zod's integers end at 2^53.
  Pet.properties.categoryId.type = 'number';
  return description;
};
