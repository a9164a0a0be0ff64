// Finds a place by the name that the person gave it in their settings.
import type { Place } from "../../places/place.ts";
import type { PlaceSettings } from "../../settings/place-settings.ts";
import { nearestName } from "../../wording/nearest-name.ts";

/** The reason completes the sentence of a usage error. */
export function placeNamed(
  places: Readonly<Record<string, PlaceSettings>>,
  name: string,
): { ok: true; place: Place } | { ok: false; reason: string } {
  const settings = Object.hasOwn(places, name) ? places[name] : undefined;
  if (settings) return { ok: true, place: { ...settings, name } };
  const names = Object.keys(places);
  const near = nearestName(name, names);
  const known = near ? ` Did you mean "${near}"?` : names.length > 0 ? ` There are: ${names.join(", ")}.` : "";
  const reason = `your settings have no place ${JSON.stringify(name)}.${known} How to add one: docs/places.md. A project cannot.`;
  return { ok: false, reason };
}
