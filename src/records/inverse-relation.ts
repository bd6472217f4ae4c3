import { OneToMany, OneToOne } from '@mikro-orm/decorators/legacy';

type Decorator = (target: object, name: string) => void;

/**
 * Declares the inverse of a relation at the property with its foreign key, so that entities import each other in the
 * direction of the keys only. The entity that the key refers to gets the property `name`, with these decorators.
 */
export const InverseCollection =
  (referenced: { prototype: object }, name: string, ...decorators: Decorator[]): Decorator =>
  (owner, property) => {
    const relation = OneToMany(() => owner.constructor as never, property as never);
    for (const decorate of [relation as Decorator, ...decorators]) decorate(referenced.prototype, name);
  };

/** The same where one record at most refers to another. */
export const InverseReference =
  (referenced: { prototype: object }, name: string, ...decorators: Decorator[]): Decorator =>
  (owner, property) => {
    const relation = OneToOne(() => owner.constructor as never, property as never);
    for (const decorate of [relation as Decorator, ...decorators]) decorate(referenced.prototype, name);
  };
