// Thrown by every display. It lives here because edges import no values from inner folders; those know it by its name (team/display.ts).

export class DisplayError extends Error {
  override name = "DisplayError";
}
