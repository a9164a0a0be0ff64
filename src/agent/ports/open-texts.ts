// The texts of files that a person has open in an editor, where the session runs in one.

export type OpenTexts = {
  /** The text as it stands in the editor, saved or not; undefined if the editor has none, or does not say. */
  read(path: string): Promise<string | undefined>;
  /** Puts a text into the editor, which saves it. False if it did not. Absent: it cannot. */
  write?(path: string, text: string): Promise<boolean>;
};
