// Thrown by every display. It is here because edges import no values from inner folders; those recognize it by its name (team/display/display.ts).

export class DisplayError extends Error {
  override name = "DisplayError";
}
