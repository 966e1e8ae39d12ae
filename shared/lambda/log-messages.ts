/** An item in the table of pets that the service did not write this way: reported with its id and attribute names. */
export const damagedPetMessage = 'A stored pet is damaged.';

/** A create that succeeded, now or before: logged with client, key id, pet id and whether it was a replay. */
export const petCreatedMessage = 'A pet was created.';
