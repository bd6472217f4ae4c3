type Step = () => unknown;

/** Stops what a service has started, also when its start failed half way. */
export class Shutdown {
  private activities: Step[] = [];
  private resources: Step[] = [];

  /** Something that begins work by itself. All of them stop at the same time, before any resource is closed. */
  addActivity(...stops: Step[]): void {
    this.activities.push(...stops);
  }

  /** Something that others use. Closed in the reverse order of their start. */
  addResource(close: Step): void {
    this.resources.push(close);
  }

  /** A step that fails does not keep the others from being taken; the first error is thrown at the end. */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    const take = async (step: Step) => {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    };
    await Promise.all(this.activities.splice(0).map(take));
    for (const close of this.resources.splice(0).reverse()) await take(close);
    if (errors.length) throw errors[0];
  }
}
