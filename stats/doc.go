// Package stats turns numbers into figures with intervals, and compares them. It takes values, and
// for each value the documents it rests on, and knows that questions about one document are not
// independent: means, composites, differences and correlations get bootstrap intervals clustered by
// documents, paired tests turn the signs of whole clusters. It knows nothing of pipelines and
// imports no other package of this module.
//
//   - figures: [Mean], [Means] of several systems from one draw, [Composite], [PairedBootstrap];
//     shares: [Wilson], [ClopperPearson], [Newcombe], [NewcombePaired]
//   - correlations: [Pearson], [Spearman], [Kendall], [PartialCorrelation]; from printed numbers
//     [FisherFromR]; [Disattenuate] and [Reliability]
//   - tests: [SignFlip], [KruskalWallis] with [Dunn], [Friedman]; corrected by [Adjust]; sizes of
//     effects [CohenDz], [HedgesG], [CliffDelta]
//   - agreement of raters: [CohenKappa], [FleissKappa], [KrippendorffAlpha]
//   - plans: [MinDetectable], [UnitsNeeded], [Power], [Plan]; [ComparePaired] for what was collected
//   - composites: [WeightSensitivity] and [WeightStability]; repeats of tasks: [PassAtK], [PassAllK];
//     few human labels beside many others: [PoweredMean]
//   - what follows from printed numbers: [Range] and its functions, [Counts], [WilsonBounds],
//     [FisherBounds]
//
// Undefined is nil with a reason, never NaN or 0. A result depends on values, documents and seed
// alone: not on the number of cores, nor on the order in which replicates finish.
package stats
