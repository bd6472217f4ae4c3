import type { QueueAddOptions } from 'p-queue';

type Run = () => Promise<unknown>;

export interface FairOptions extends QueueAddOptions {
  /** The group that the turn is of, and the member of the group. Absent: it begins before all that have turns. */
  turnOf?: readonly [group: string, member: string];
}

type Waiting<Item> = Map<string, Map<string, Item[]>>;

function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}

/**
 * Groups take turns, and in each turn of a group one of its members, who take turns as well. So neither a member with
 * many items that wait nor a group of many members delays others by more than one of them: what comes while one runs
 * is before the next one of the same member. p-queue can use it.
 */
export class FairQueue<Item = Run> {
  size = 0;
  private readonly first: Item[] = [];
  /** The next turn first, of groups and of their members. */
  private readonly groups: Waiting<Item> = new Map();
  /** Who had the last turn. */
  private last: readonly [group: string, member: string] | null = null;

  enqueue(item: Item, { turnOf }: Partial<FairOptions> = {}): void {
    this.size += 1;
    if (!turnOf) {
      this.first.push(item);
      return;
    }
    const [group, member] = turnOf;
    const members = this.groups.get(group) ?? new Map<string, Item[]>();
    const items = members.get(member) ?? [];
    items.push(item);
    members.set(member, items);
    this.groups.set(group, members);
    if (!this.last) return;
    const [lastGroup, lastMember] = this.last;
    if (members.size === 1 && items.length === 1) moveToEnd(this.groups, lastGroup);
    if (items.length === 1 && group === lastGroup) moveToEnd(members, lastMember);
  }

  dequeue(): Item | undefined {
    const item = this.first.shift() ?? this.takeTurn();
    if (item) this.size -= 1;
    return item;
  }

  private takeTurn(): Item | undefined {
    const [group, members] = this.groups.entries().next().value ?? [];
    if (group === undefined) return undefined;
    const [member, items] = members!.entries().next().value!;
    const item = items.shift();
    members!.delete(member);
    if (items.length) members!.set(member, items);
    this.groups.delete(group);
    if (members!.size) this.groups.set(group, members!);
    this.last = [group, member];
    return item;
  }

  /** p-queue calls these for what has a signal or an id, which none has here. */
  filter = (): Item[] => [];
  setPriority(): void {}
  remove(): void {}
}
