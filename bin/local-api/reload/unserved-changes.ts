interface Change {
  readonly savedAt: number;
  /** The files that were built first with it, itself included. */
  readonly batch: readonly string[];
  /** Whether it was tried to serve it, in vain. */
  hasFailed: boolean;
}

/** Returns what holds the files that are built, and not served as they are. */
export function unservedChanges() {
  const changes = new Map<string, Change>();

  return {
    files: (): readonly string[] => [...changes.keys()],

    /** Returns those files of each batch that are not in a later one. */
    batches: (): readonly (readonly string[])[] =>
      [...Map.groupBy(changes, ([, { batch }]) => batch).values()].map((entries) =>
        entries.map(([file]) => file),
      ),

    /** Adds files that were built together, with the time of their last save. */
    add(savedAt: ReadonlyMap<string, number>): void {
      const batch = [...savedAt.keys()];
      for (const file of batch)
        changes.set(file, { savedAt: savedAt.get(file) ?? 0, batch, hasFailed: false });
    },

    /** Lets changes be tried again that were tried in vain. */
    retryAll(): void {
      for (const change of changes.values()) change.hasFailed = false;
    },

    /** Returns what to tell of an attempt to serve some changes, or undefined if each was tried in vain already. */
    attempt(files: readonly string[]) {
      const taken = [...changes].filter(([file]) => files.includes(file));
      if (taken.every(([, { hasFailed }]) => hasFailed)) return undefined;
      return {
        /** The changes, with the time of their last save. */
        taken: new Map(taken.map(([file, { savedAt }]) => [file, savedAt])),
        /** When the newest was saved. */
        savedAt: Math.max(...taken.map(([, { savedAt }]) => savedAt)),
        /** Returns whether none was saved again. */
        isNewest: () => taken.every(([file, change]) => changes.get(file) === change),
        succeed(): void {
          for (const [file, change] of taken) if (changes.get(file) === change) changes.delete(file);
        },
        fail(): void {
          for (const [, change] of taken) change.hasFailed = true;
        },
      };
    },
  };
}
