// The names that other products give to the fields of events. Apart from event-inputs.ts, which only `tool hooks schema` loads.

/** Names that fields have in other products, whose hooks look for them. */
const otherFields: Readonly<Record<string, string>> = {
  agent_name: "agent_type",
  last_message: "last_assistant_message",
  focus: "custom_instructions",
};

/** The fields of an event, also under the names that other products give them. */
export function withOtherNames(input: object): object {
  const others = Object.entries(input).flatMap(([name, value]) => (Object.hasOwn(otherFields, name) ? [[otherFields[name], value]] : []));
  return { ...input, ...Object.fromEntries(others) };
}
