// Whether there is a key for the provider, whatever else keeps a model from answering.
import type { ModelChoice, World } from "../world.ts";

/** A stored key that is damaged counts as none. */
export async function hasKey({ edges }: World, choice: ModelChoice): Promise<boolean> {
  try {
    return (await edges.keySource(choice)) !== undefined;
  } catch {
    return false;
  }
}
