export { ArcwiseObject, default } from 'arcwise/edge';
