/** Leaves open what later versions of the API may extend, and what JSON.parse rounds. */
export default (description) => {
  const { Pet, PetStatus } = description.components.schemas;
  // Statuses may be added.
  delete PetStatus.enum;
  // zod's integers end at 2^53.
  Pet.properties.categoryId.type = 'number';
  return description;
};
